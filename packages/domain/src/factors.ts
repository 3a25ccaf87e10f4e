/**
 * What an account can have besides its password, to sign in with. A passkey works on the host name that it was added on;
 * `passkey elsewhere`: the account has some, and none for this one.
 */
export const FACTORS = ['passkey', 'code', 'passkey elsewhere'] as const
export type Factor = (typeof FACTORS)[number]

/** What its holder is told of. */
export const FACTOR_EVENTS = [
  'authenticator added',
  'authenticator removed',
  'passkey added',
  'passkey removed',
  'passkey refused',
  'recovery codes made',
  'recovery code used',
  'second factor reset',
  'provider connected',
  'provider disconnected',
] as const
export type FactorEvent = (typeof FACTOR_EVENTS)[number]

/** Each as a sentence to the holder, without its full stop. */
export const factorEventWords: Record<FactorEvent, string> = {
  'authenticator added': 'An authenticator app was added to your account',
  'authenticator removed': 'The authenticator app was removed from your account',
  'passkey added': 'A passkey was added to your account',
  'passkey removed': 'A passkey was removed from your account',
  'passkey refused': 'A passkey of your account was refused, as somebody may have copied it',
  'recovery codes made': 'New recovery codes were made for your account',
  'recovery code used': 'A recovery code of your account was used',
  'second factor reset': 'The second factor of your account was removed by the operator',
  'provider connected': 'Your account was connected to the sign-in provider',
  'provider disconnected': 'Your account was disconnected from the sign-in provider',
}
