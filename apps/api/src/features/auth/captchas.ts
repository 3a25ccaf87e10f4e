import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { drawCaptcha } from '../../lib/captcha-image.ts'
import { randomText } from '../../lib/random-text.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { insertCaptcha, takeCaptcha } from './captchas.queries.ts'

type CaptchaServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret'>

const length = 5
const lifeMs = 5 * 60 * 1000

/**
 * A picture to read, good for one attempt within five minutes; both empty when the captcha is off.
 * `text` is there for tests.
 */
export async function makeCaptcha(
  { config, db, clock, secret }: CaptchaServices,
  text = randomText(length),
): Promise<{ image: string; check: string }> {
  if (config.captcha === 'off') return { image: '', check: '' }
  const image = await drawCaptcha(text)
  const check = randomUUID()
  await insertCaptcha(db, {
    id: check,
    answer_hash: hashAnswer(secret, check, text),
    expires_at: new Date(clock.now().getTime() + lifeMs),
  })
  return { image, check }
}

/**
 * Uses a captcha up, whether or not the answer is right.
 *
 * @throws VALIDATION_ERROR unless `answer` is what the picture showed.
 */
export async function requireCaptcha(
  { config, db, clock, secret }: CaptchaServices,
  { check, answer }: { check: string; answer: string },
): Promise<void> {
  if (config.captcha === 'off') return
  const captcha = isCheck(check) ? await takeCaptcha(db, check) : undefined
  const isRight =
    captcha !== undefined &&
    clock.now() < captcha.expires_at &&
    timingSafeEqual(captcha.answer_hash, hashAnswer(secret, check, answer))
  if (!isRight)
    throw invalid({ captchaString: ['does not match the picture, please try the new one'] })
}

const isCheck = (text: string) => z.uuid().safeParse(text).success

/** What is kept of an answer. With a key, since five characters are soon found for a plain hash. */
export const hashAnswer = (secret: Buffer, check: string, answer: string): Buffer =>
  createHmac('sha256', deriveKey(secret, 'captcha'))
    .update(`${check.toLowerCase()} ${answer.trim().toLowerCase()}`)
    .digest()
