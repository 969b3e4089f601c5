// Let observers hear that something appeared only together with its disappearance, as on a slow page.
export const reportSightingsLate = () => {
  window.IntersectionObserver = class extends IntersectionObserver {
    constructor(report) {
      const seen = []
      super((entries, observer) => {
        seen.push(...entries)
        if (!seen.at(-1).isIntersecting) report(seen.splice(0), observer)
      })
    }
  }
}
