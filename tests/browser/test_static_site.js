// The default setting. Other tests let the bots of a server play.
export const preferDevice = () => {
  const settings = JSON.parse(localStorage.getItem('diamonds.settings'))
  localStorage.setItem('diamonds.settings', JSON.stringify({ ...settings, bots: 'device' }))
}
