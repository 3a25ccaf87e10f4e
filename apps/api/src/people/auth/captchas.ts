import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { insertRows } from '../../db/rows.queries.ts'
import { invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { drawCaptcha } from '../../lib/files/captcha-image.ts'
import { askQuestion } from '../../lib/files/captcha-questions.ts'
import { randomText } from '../../lib/random-text.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { takeCaptcha } from './captchas.queries.ts'

type CaptchaServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret'>

const length = 5
const lifeMs = 5 * 60 * 1000

/**
 * Creates a captcha, valid for one attempt within five minutes. Both fields are empty if the captcha is
 * disabled. `text` is for tests.
 */
export async function makeCaptcha(
  services: CaptchaServices,
  text = randomText(length),
): Promise<{ image: string; check: string }> {
  if (services.config.captcha === 'off') return { image: '', check: '' }
  const image = await drawCaptcha(text)
  const check = randomUUID()
  await keepAnswer(services, check, text)
  return { image, check }
}

/** Creates a captcha for whoever can't see a picture, by the same rules. `asked` is for tests. */
export async function makeQuestion(
  services: CaptchaServices,
  asked = askQuestion(),
): Promise<{ image: ''; question?: string; check: string }> {
  if (services.config.captcha === 'off') return { image: '', check: '' }
  const check = ofQuestion(randomUUID())
  await keepAnswer(services, check, asked.answer)
  return { image: '', question: asked.question, check }
}

const keepAnswer = ({ db, clock, secret }: CaptchaServices, check: string, answer: string) =>
  insertRows(db, 'captchas', {
    id: check,
    answer_hash: hashAnswer(secret, check, answer),
    expires_at: new Date(clock.now().getTime() + lifeMs),
  })

/**
 * Consumes a captcha, whether or not the answer is correct.
 *
 * @throws VALIDATION_ERROR unless `answer` matches the picture or the question.
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
  if (!isRight) {
    const shown = isOfQuestion(check) ? 'question' : 'picture'
    throw invalid({ captchaString: [`does not match the ${shown}. Please try the new one.`] })
  }
}

/** A refusal has to say which kind it was, and nothing is stored but the hash: ids of questions are UUIDs of version 8. */
const ofQuestion = (id: string) => `${id.slice(0, 14)}8${id.slice(15)}`

const isOfQuestion = (check: string) => isCheck(check) && check.charAt(14) === '8'

const isCheck = (text: string) => z.uuid().safeParse(text).success

/** The stored form of an answer. Keyed, because a plain hash of five characters is easy to brute-force. */
export const hashAnswer = (secret: Buffer, check: string, answer: string): Buffer =>
  createHmac('sha256', deriveKey(secret, 'captcha'))
    .update(`${check.toLowerCase()} ${answer.trim().toLowerCase()}`)
    .digest()
