import { Secret, TOTP } from 'otpauth'

/** An authenticator app: what it shows, some periods of 30 seconds from now. */
export function authenticatorOf(secret: string, clock: { peek: () => Date }) {
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  return (off = 0) => app.generate({ timestamp: clock.peek().getTime() + off * 30_000 })
}
