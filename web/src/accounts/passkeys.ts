// Passkeys: register and sign in with WebAuthn.
import { WebAuthnError, browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { ApiError, post } from '../client/api'
import type { OkResponse, OneTimeSecretResponse, SignedInResponse, WebAuthnOptionsResponse } from '../client/types'
import { t } from '../client/i18n.svelte'
import { deviceLabel } from './deviceLabel'

/** Return whether this browser supports passkeys, which need HTTPS. */
export const isSupported = browserSupportsWebAuthn

/** Await a browser prompt; throw an error with a short message if the user cancels it. */
async function withPrompt<T>(question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    const known = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new ApiError(0, known ? t('page-accounts-known') : t('page-accounts-no-answer'))
  }
}

const newPasskey = async (question: WebAuthnOptionsResponse): Promise<object> => ({
  passkey: await withPrompt(startRegistration({ optionsJSON: question.options as PublicKeyCredentialCreationOptionsJSON })),
  label: deviceLabel(),
})

/** Create an account with a passkey; return its recovery code, which is shown once. */
export async function createAccount(name: string, invitation: string): Promise<string> {
  const question = await post<WebAuthnOptionsResponse>('/api/me/account/begin', { name, invitation })
  return (await post<OneTimeSecretResponse>('/api/me/account', await newPasskey(question))).code
}

export async function addPasskey(): Promise<OkResponse> {
  const question = await post<WebAuthnOptionsResponse>('/api/me/passkeys/begin', {})
  return await post<OkResponse>('/api/me/passkeys', await newPasskey(question))
}

export async function signIn(bring: boolean): Promise<SignedInResponse> {
  const question = await post<WebAuthnOptionsResponse>('/api/sign-in/passkey/begin', {})
  const passkey = await withPrompt(startAuthentication({ optionsJSON: question.options as PublicKeyCredentialRequestOptionsJSON }))
  return await post<SignedInResponse>('/api/sign-in/passkey', { passkey, label: deviceLabel(), bring_tables: bring })
}
