/** Stands for what is not kept. */
export const REMOVED = '[removed]'

/**
 * Whether a field of this name holds a secret, in any spelling: `plainPassword`, `API_KEY`, `x-signature`, `pass_word`.
 * Both logs go by it, that of calls and that of postbacks.
 */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  return (
    LONG_WORDS.test(words.join('')) ||
    words.some((word) => SHORT_WORDS.has(word)) ||
    KEY.test(words.at(-1) ?? '') ||
    (words.length === 1 && ALONE.has(words[0] ?? ''))
  )
}

/** What means a secret wherever it stands in a name. */
const LONG_WORDS =
  /pass(word|wd|phrase|code)|pwd|secret|token|captcha|credential|signature|authori[sz]ation|cookie|jwt|bearer/

/** What means one as a word of its own, for other words contain it: `pinned`, `passenger`, `author`. */
const SHORT_WORDS = new Set(['pass', 'sig', 'hmac', 'pin', 'otp', 'totp', 'auth', 'cvv', 'cvc'])

/** At the end of a name, but not of a word such as `monkey`. */
const KEY =
  /^((api|access|auth|client|pass|postback|private|public|secret|sign|signing|site)?keys?)$/

/** Nothing but the whole name: `isSecure` says something else. */
const ALONE = new Set(['secure'])

/** In lower case, without numbers: `APIKey2` is `api` and `key`. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')

/** A secret that is shorter is also found where it means nothing. */
const SHORTEST = 6

/** Removes secrets from text: those given, and in JSON or `name=value` pairs whatever has a secret's name. */
export function withoutSecrets(text: string, secrets: readonly string[] = []): string {
  if (secrets.some((secret) => secret.length >= SHORTEST && text.includes(secret))) return REMOVED
  if (/^\s*[[{]/.test(text)) {
    const hidden = withoutSecretsInJson(text)
    if (hidden !== undefined) return hidden
  }
  return text.replaceAll(PAIR, (pair, name: string) =>
    isSecretName(name) ? `${name}=${REMOVED}` : pair,
  )
}

// Begun at the start of a word alone, so that a long word costs no more than its length.
const PAIR = /(?<![\w.-])([\w.-]{1,100})=[^&;\s]+/g

function withoutSecretsInJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), (name: string, value: unknown) =>
      isSecretName(name) ? REMOVED : value,
    )
  } catch {
    return undefined
  }
}
