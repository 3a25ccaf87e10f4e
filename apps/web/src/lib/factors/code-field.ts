/** Of each field for a code of an authenticator app, or a recovery code: phones offer the code, and change no letter of it. */
export const codeField = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 64,
} as const
