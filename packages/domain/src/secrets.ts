/*
 * Who may be handed which secret. A call says who may make it; this says what of its answer they get. Lists, tests,
 * exports and histories ask it alike, so no call answers with what another one guards.
 */

/** How the caller of a call is known. `nobody`: not at all, or only by what this call proves. */
export const CREDENTIALS = [
  'nobody',
  'proved session',
  'older session',
  'proved partner session',
  'partner session',
  'Sign in as',
  'token',
] as const
export type Credential = (typeof CREDENTIALS)[number]

/** The sessions in which the holder has entered the password within the last ten minutes, and what they are later. */
const provedFrom: Partial<Record<Credential, Credential>> = {
  'older session': 'proved session',
  'partner session': 'proved partner session',
}

const everySession: readonly Credential[] = [
  'proved session',
  'older session',
  'proved partner session',
  'partner session',
  'Sign in as',
]

/** A token is handed no secret that opens or sends something, whatever its groups. */
const handedTo = {
  /** With it one could sign in as its holder, also a partner that opened the session of an office. */
  password: ['proved session'],
  /** With it anybody reports sales of the site. */
  'postback key': ['proved session'],
  'webhook secret': ['proved session'],
  'API token': ['proved session', 'proved partner session'],
  /** Opens a session of somebody else. */
  'sign-in link': ['proved session'],
  /** With it one chooses the password of an account that has none. */
  'invitation link': ['proved session'],
  /** By which an authenticator app makes its codes. */
  'authenticator secret': ['proved session', 'proved partner session'],
  /** In place of a code of an app that was lost. */
  'recovery code': ['proved session', 'proved partner session'],
  /** Sent to sign in with. No answer has one. */
  'one-time code': [],
  /** What a passkey has signed. As above. */
  'passkey answer': [],
  /** Of a sign-in whose password was right, until its second factor is. */
  'sign-in step': ['nobody', ...everySession],
  /** Of the session that the call opens or returns to. */
  'session token': ['nobody', ...everySession],
  /** With all of its digits: in the files for the bank, and when their lines are reviewed. */
  'account number': ['proved session'],
  /** By role and scope alone, and on statements: what a bank or tax office wants to know. No log keeps them. */
  'payee details': [...everySession, 'token'],
  /** As a bank or a colleague has made it. Nothing answers with it. */
  'bank file': [],
  /** By which the server of a partner knows our postbacks. */
  'delivery token': everySession.filter((one) => one !== 'Sign in as'),
  /** In mails only. */
  'reset link': [],
  'address link': [],
  'unsubscribe link': [],
  /** In cookies only: that a device is known, or has asked for *Sign in as*. */
  'device mark': [],
  'captcha answer': [],
} as const satisfies Record<string, readonly Credential[]>

export type SecretKind = keyof typeof handedTo

export const SECRET_KINDS = Object.keys(handedTo) as readonly SecretKind[] // Object.keys forgets the key type

/** Whether a caller is handed a secret: now, once they have entered their password again, or never. */
export type Handing = 'now' | 'after proof' | 'never'

export function handingOf(kind: SecretKind, credential: Credential): Handing {
  const allowed: readonly Credential[] = handedTo[kind]
  if (allowed.includes(credential)) return 'now'
  const proved = provedFrom[credential]
  return proved && allowed.includes(proved) ? 'after proof' : 'never'
}
