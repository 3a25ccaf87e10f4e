import type { FieldMessages } from '@tallyroom/contract/errors'
import { makeCaptcha } from '../src/people/auth/captchas.ts'
import { type SignInAttempt, signIn } from '../src/people/auth/sign-in.ts'
import { AppError } from '../src/errors.ts'
import type { Services } from '../src/services.ts'
import { hashPassword } from '../src/lib/password.ts'
import { buildAgent, buildOffice } from './build-world.ts'

export const password = 'Pa55word of the tests'
export const wrongPassword = 'Wr0ng guess of the tests'

/** The token, or what the refusal tells strangers. */
export type Outcome = {
  token?: string
  /** To a second factor. */
  step?: string
  ways?: readonly string[]
  code?: string
  data?: FieldMessages
  retryAfter?: number
}

/** Attempts of `maria` with the correct password and captcha, unless specified otherwise. */
export async function attempts(services: Services) {
  const { db } = services
  const office = await buildOffice(db, { name: 'Manila', username: 'manila' })
  await buildAgent(db, { office_id: office, username: 'maria' })
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(password) })
    .execute()

  async function attempt(values: Partial<SignInAttempt> = {}): Promise<Outcome> {
    const captchaString = 'HJKNP'
    const captchaCheck = values.captchaCheck ?? (await makeCaptcha(services, captchaString)).check
    const usual = { username: 'maria', password, ip: '203.0.113.7', userAgent: 'a browser' }
    try {
      const visit = { ...usual, captchaString, captchaCheck, ...values }
      const { accountId: _, ...answer } = await signIn(services, visit)
      return answer
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { code, data, retryAfter } = error
      return { code, ...(data && { data }), ...(retryAfter !== undefined && { retryAfter }) }
    }
  }

  /** Wrong guesses, one after the other. */
  async function fail(times: number, values: Partial<SignInAttempt> = {}): Promise<void> {
    for (let n = 0; n < times; n++) await attempt({ password: wrongPassword, ...values })
  }

  return { office, attempt, fail }
}
