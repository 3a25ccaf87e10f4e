/** Replaces a secret value. */
export const REMOVED = '[removed]'

/**
 * Whether a field of this name contains a secret, in any spelling: `plainPassword`, `API_KEY`, `x-signature`,
 * `pass_word`. Used by the common logs and the postback log.
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

/** Mean a secret anywhere in a name. */
const LONG_WORDS =
  /pass(word|wd|phrase|code)|pwd|secret|token|captcha|credential|signature|authori[sz]ation|cookie|jwt|bearer/

/** Mean a secret only as separate words, since other words contain them: `pinned`, `passenger`, `author`. */
const SHORT_WORDS = new Set(['pass', 'sig', 'hmac', 'pin', 'otp', 'totp', 'auth', 'cvv', 'cvc'])

/** At the end of a name, but not in a word such as `monkey`. */
const KEY =
  /^((api|access|auth|client|pass|postback|private|public|secret|sign|signing|site)?keys?)$/

/** Only as the whole name: `isSecure` means something else. */
const ALONE = new Set(['secure'])

/** In lower case, without digits: `APIKey2` is `api` and `key`. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')

/** Shorter secrets would also match harmless text. */
const SHORTEST = 6

/** Removes secrets from text: the given ones, and in JSON or `name=value` pairs the value of every secret name. */
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

// Matches only at the start of a word, so that time stays linear in the length of long words.
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
