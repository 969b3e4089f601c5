// Push notifications for this device: support, permission, subscription.
import { get, post } from '../client/api'
import type { PushResponse } from '../client/types'
import { deviceLabel } from '../accounts/deviceLabel'

/** Why this browser can take no messages, as the end of a sentence's id; empty if it can. */
export function pushUnavailable(): '' | 'https' | 'browser' | 'denied' {
  if (!isSecureContext) return 'https'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'browser'
  return Notification.permission === 'denied' ? 'denied' : ''
}

/** Whether it may be asked for here and was not yet. */
export const canAsk = (): boolean => !pushUnavailable() && Notification.permission === 'default'

/** Take messages from now on; whether the player has allowed it. */
export async function enablePush(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { key } = await get<PushResponse>('/api/push')
  await navigator.serviceWorker.register('/sw.js')
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe() // it may be another server's, which had the address before
  const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON()
  await post('/api/push', { endpoint, p256dh: keys!.p256dh, auth: keys!.auth, label: deviceLabel() })
  return true
}
