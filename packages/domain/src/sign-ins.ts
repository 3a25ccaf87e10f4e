/** What the holder of an account is told of attempts to sign in, by a device that the account doesn't know. */
export const SIGN_IN_EVENTS = ['new place', 'wrong code'] as const
export type SignInEvent = (typeof SIGN_IN_EVENTS)[number]

/** The ways in which the holder of an account can prove themselves. A mailed link is none. */
export const PROOFS = [
  'password',
  'password and code',
  'password and recovery code',
  'password and passkey',
  // Which asked its device's owner for a PIN, a finger or a face.
  'passkey',
] as const
export type Proof = (typeof PROOFS)[number]

/** How a session was proved last, or that it was opened by the network's provider and has not been; null: by a partner. */
export type SessionProof = Proof | 'provider' | null

export function provedInWords(by: SessionProof): string {
  if (by === null) return 'signed in by a partner'
  return by === 'provider' ? 'signed in through the provider' : `proved by ${by}`
}

/** Each as a sentence to the holder, without its full stop. */
export const signInEventWords: Record<SignInEvent, string> = {
  'new place': 'Somebody signed in to your account from a new place',
  'wrong code': 'Somebody entered your password, and then a wrong code',
}
