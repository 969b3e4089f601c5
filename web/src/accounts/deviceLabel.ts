// The label of this browser in the account's list of devices.

/** Return a label such as “Firefox, Linux”, which is enough for the owner to recognize the browser. */
export function deviceLabel(): string {
  const agent = navigator.userAgent
  const found = (names: [RegExp, string][]): string => names.find(([sign]) => sign.test(agent))?.[1] ?? ''
  const browser = found([[/Edg\//, 'Edge'], [/OPR\//, 'Opera'], [/Firefox\//, 'Firefox'], [/Chrome\//, 'Chrome'], [/Safari\//, 'Safari']])
  const system = found([[/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/Mac OS/, 'macOS'], [/Windows/, 'Windows'], [/CrOS/, 'ChromeOS'], [/Linux/, 'Linux']])
  return [browser, system].filter(Boolean).join(', ')
}
