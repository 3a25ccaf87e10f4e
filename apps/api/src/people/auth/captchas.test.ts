import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { attempts, wrongPassword } from '../../../test/sign-in.ts'
import { makeCaptcha, makeQuestion, requireCaptcha } from './captchas.ts'
import { purgeSignIn } from './purge-sign-in.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const { attempt } = await attempts(services)

const signedIn = { token: expect.any(String) }
const refused = { code: 'VALIDATION_ERROR', data: { captchaString: [expect.any(String)] } }

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('sign_in_waits').execute()
})

test('a captcha is valid for one attempt, right or wrong', async () => {
  const { check } = await makeCaptcha(services, 'ACEFH')
  expect(await attempt({ captchaCheck: check, captchaString: 'ACEFK' })).toEqual(refused)
  expect(await attempt({ captchaCheck: check, captchaString: 'ACEFH' })).toEqual(refused)

  const second = await makeCaptcha(services, 'ACEFH')
  const answer = { captchaCheck: second.check, captchaString: ' acefh ' }
  expect(await attempt({ ...answer, password: wrongPassword })).toMatchObject({
    data: { _form: [expect.any(String)] },
  })
  expect(await attempt(answer)).toEqual(refused)
})

test('of many who use one captcha at once, one gets through', async () => {
  const { check } = await makeCaptcha(services, 'ACEFH')
  const answer = { captchaCheck: check, captchaString: 'ACEFH' }
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => attempt(answer)))
  expect(outcomes.filter((outcome) => outcome.token !== undefined)).toHaveLength(1)
})

test.each<[string, { check?: string; answer?: string; ageMs?: number }]>([
  ['five minutes old', { ageMs: 5 * 60 * 1000 }],
  ['not answered', { answer: '' }],
  ['never made', { check: '0199e5f2-0000-4000-8000-000000000001' }],
  ['no captcha id', { check: "' or true --" }],
  ['without an id', { check: '' }],
])(
  'a captcha that is %s is refused, and the password is not checked',
  async (_, { check, answer, ageMs }) => {
    const captcha = await makeCaptcha(services, 'ACEFH')
    clock.advance(ageMs ?? 0)
    const given = { captchaCheck: check ?? captcha.check, captchaString: answer ?? 'ACEFH' }
    expect(await attempt({ ...given, password: wrongPassword })).toEqual(refused)
    expect(await db.selectFrom('sign_in_waits').selectAll().execute()).toEqual([])
  },
)

test('a captcha just under five minutes old is valid', async () => {
  const { check } = await makeCaptcha(services, 'ACEFH')
  clock.advance(5 * 60 * 1000 - 1000)
  expect(await attempt({ captchaCheck: check, captchaString: 'ACEFH' })).toEqual(signedIn)
})

const lantern = { question: 'Type the first and last letter of the word “lantern”.', answer: 'ln' }

test('a question is answered once, in whatever case, within five minutes', async () => {
  const { check, ...shown } = await makeQuestion(services, lantern)
  expect(shown).toEqual({ image: '', question: lantern.question })
  expect(await attempt({ captchaCheck: check, captchaString: ' LN ' })).toEqual(signedIn)
  expect(await attempt({ captchaCheck: check, captchaString: 'ln' })).toEqual(refused)

  const old = await makeQuestion(services, lantern)
  clock.advance(5 * 60 * 1000)
  expect(await attempt({ captchaCheck: old.check, captchaString: 'ln' })).toEqual(refused)
})

test('a wrong answer uses a question up, and is refused before the password is checked', async () => {
  const { check } = await makeQuestion(services, lantern)
  const wrong = { captchaCheck: check, captchaString: 'lantern', password: wrongPassword }
  expect(await attempt(wrong)).toEqual(refused)
  expect(await db.selectFrom('sign_in_waits').selectAll().execute()).toEqual([])
  expect(await attempt({ captchaCheck: check, captchaString: 'ln' })).toEqual(refused)
})

test('a refusal says what the answer does not match: the picture or the question', async () => {
  const saidOf = async ({ check }: { check: string }) =>
    (await attempt({ captchaCheck: check, captchaString: 'wrong' })).data?.captchaString
  expect(await saidOf(await makeQuestion(services))).toEqual([
    'does not match the question. Please try the new one.',
  ])
  const picture = ['does not match the picture. Please try the new one.']
  expect(await saidOf(await makeCaptcha(services))).toEqual(picture)
  expect(await saidOf({ check: 'no id of any, 8' })).toEqual(picture)
})

test('the purge deletes expired captchas and keeps the others', async () => {
  await db.deleteFrom('captchas').execute()
  await makeCaptcha(services)
  clock.advance(60_000)
  const young = await makeCaptcha(services)
  clock.advance(4 * 60_000)
  await purgeSignIn(services)
  expect(await db.selectFrom('captchas').select('id').execute()).toEqual([{ id: young.check }])
})

test('with captchas off, there is no picture, no question, and none is required', async () => {
  const without = testServices(database, { environment: { CAPTCHA: 'off' } })
  expect(await makeCaptcha(without)).toEqual({ image: '', check: '' })
  expect(await makeQuestion(without)).toEqual({ image: '', check: '' })
  await expect(requireCaptcha(without, { check: '', answer: '' })).resolves.toBeUndefined()
})
