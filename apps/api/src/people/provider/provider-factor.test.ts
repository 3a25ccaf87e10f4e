import { expect, test } from 'vitest'
import { hasFreshFactor } from './provider-factor.ts'

const now = new Date('2026-03-01T15:00:00Z')
const ago = (seconds: number) => now.getTime() / 1000 - seconds

test.each([
  [{ amr: ['pwd', 'mfa'], auth_time: ago(0) }, true],
  [{ amr: ['mfa'], auth_time: ago(629) }, true],
  [{ amr: ['mfa'], auth_time: ago(631) }, false],
  [{ amr: ['mfa'], auth_time: ago(-29) }, true],
  [{ amr: ['mfa'], auth_time: ago(-31) }, false],
  [{ amr: ['mfa'] }, false],
  [{ amr: ['mfa'], auth_time: String(ago(0)) }, false],
  [{ amr: ['pwd', 'otp'], auth_time: ago(0) }, false],
  [{ amr: 'mfa', auth_time: ago(0) }, false],
  [{ acr: 'phr', auth_time: ago(0) }, true],
  [{ acr: 'https://refeds.org/profile/mfa', auth_time: ago(0) }, true],
  [{ acr: '1', auth_time: ago(0) }, false],
  [{ auth_time: ago(0) }, false],
])('a second factor counts if the provider says so and it is fresh: %j', (claims, counts) => {
  expect(hasFreshFactor(claims, now)).toBe(counts)
})
