// Passkeys: the browser is asked for one, as the house says, and the house is given the answer.
import { WebAuthnError, browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { Refusal, post } from '../client/api'
import type { Asked, Gone, ShownOnce, SignedIn } from '../client/types'
import { say } from '../client/i18n.svelte'
import { label } from './deviceLabel'

/** Whether this browser knows passkeys; it does nowhere but at a safe address. */
export const supported = browserSupportsWebAuthn

/** Whoever closes the browser's own question has changed their mind, and is told so in one sentence. */
async function asked<T>(question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    const known = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new Refusal(0, known ? say('page-people-known') : say('page-people-no-answer'))
  }
}

const made = async (question: Asked): Promise<object> => ({
  passkey: await asked(startRegistration({ optionsJSON: question.options as PublicKeyCredentialCreationOptionsJSON })),
  label: label(),
})

/** Make an account; its recovery code is shown once. */
export async function makeAccount(name: string, invitation: string): Promise<string> {
  const question = await post<Asked>('/api/me/account/begin', { name, invitation })
  return (await post<ShownOnce>('/api/me/account', await made(question))).code
}

export async function addPasskey(): Promise<Gone> {
  const question = await post<Asked>('/api/me/passkeys/begin', {})
  return await post<Gone>('/api/me/passkeys', await made(question))
}

export async function signIn(bring: boolean): Promise<SignedIn> {
  const question = await post<Asked>('/api/sign-in/passkey/begin', {})
  const passkey = await asked(startAuthentication({ optionsJSON: question.options as PublicKeyCredentialRequestOptionsJSON }))
  return await post<SignedIn>('/api/sign-in/passkey', { passkey, label: label(), bring })
}
