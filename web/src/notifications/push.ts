// Push notifications for this device: support, permission, subscription.
import { get, post } from '../client/api'
import type { PushResponse } from '../client/types'
import { deviceLabel } from '../accounts/deviceLabel'

/** Return why this browser cannot receive notifications, as the end of a message id; empty if it can. */
export function pushUnavailable(): '' | 'https' | 'browser' | 'denied' {
  if (!isSecureContext) return 'https'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'browser'
  return Notification.permission === 'denied' ? 'denied' : ''
}

/** Return whether permission can be requested and has not been requested yet. */
export const canAsk = (): boolean => !pushUnavailable() && Notification.permission === 'default'

/** Enable notifications; return whether the player allowed them. */
export async function enablePush(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { key } = await get<PushResponse>('/api/push')
  await navigator.serviceWorker.register('/sw.js')
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe() // it may belong to another server that had this address before
  const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON()
  await post('/api/push', { endpoint, p256dh: keys!.p256dh, auth: keys!.auth, label: deviceLabel() })
  return true
}
