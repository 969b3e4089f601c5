// What a browser offers once, and early: to install the page. The settings have it for whoever looks for it; nobody is asked.
export interface Offer extends Event {
  prompt(): Promise<unknown>
}

export const install = $state({ offer: null as Offer | null })

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  install.offer = event as Offer
})
addEventListener('appinstalled', () => (install.offer = null))
