// Fire the event of a browser that can install the page; return whether the page suppresses the prompt.
export const offerInstall = () => {
  const offer = new Event('beforeinstallprompt', { cancelable: true })
  offer.prompt = async () => (window.asked = (window.asked ?? 0) + 1)
  return !dispatchEvent(offer)
}
