// Choose bots on the device, as by default. The settings of tests choose bots of the server.
export const preferDevice = () => {
  const settings = JSON.parse(localStorage.getItem('diamonds.settings'))
  localStorage.setItem('diamonds.settings', JSON.stringify({ ...settings, bots: 'device' }))
}
