import { beforeEach, describe, expect, test } from 'vitest'
import { makeCaptcha, requireCaptcha } from '../src/people/auth/captchas.ts'
import { settleWaiting } from '../src/tracking/postbacks/settle-waiting.ts'
import { makeFindViewer } from '../src/people/sessions/find-viewer.ts'
import { AppError } from '../src/errors.ts'
import { buildClick } from './build-world.ts'
import { postbackWorld } from './postback-world.ts'
import { about } from './test-clock.ts'
import { attempts } from './sign-in.ts'

const world = await postbackWorld()
const { db, clock, services, officeId, agentId } = world
const { attempt, fail } = await attempts(services)
const findViewer = makeFindViewer(services)

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

beforeEach(async () => {
  clock.set('2026-03-10T16:00:00Z')
  await db.deleteFrom('sign_in_waits').execute()
})

describe('when the clock goes back an hour', () => {
  test('a sale counts even if its click is now in the future', async () => {
    const { siteId, get, click } = await world.merchant()
    const clickId = await click()
    clock.advance(-hourMs)
    const answer = await get({ click_id: clickId, transaction_id: '1' })
    expect(answer.statusCode).toBe(201)
    expect(await world.eventsOf(siteId)).toMatchObject([
      { occurred_at: about(clock.peek()), quantity: 1 },
    ])
  })

  test('a waiting postback is retried before the clock has caught up', async () => {
    const { siteId, typeId, get } = await world.merchant()
    const clickedAt = clock.peek()
    const fields = { agentId, typeId, clickedAtMs: clickedAt.getTime(), nonce: 5 }
    const answer = await get({ click_id: world.inbound.clickIds.sign(fields), transaction_id: '1' })
    expect(answer.statusCode).toBe(202)
    await buildClick(db, {
      agent_id: agentId,
      office_id: officeId,
      site_id: siteId,
      type_id: typeId,
      clicked_at: clickedAt,
      nonce: 5,
    })
    clock.advance(-hourMs)
    await settleWaiting(services)
    clock.advance(10 * minuteMs)
    await settleWaiting(services)
    expect(await world.eventsOf(siteId)).toHaveLength(1)
  })

  test('a sign-in wait of half a minute does not become an hour', async () => {
    await fail(5)
    clock.advance(-hourMs)
    expect(await attempt()).toEqual({ token: expect.any(String) })
  })

  test('a sign-in wait survives a smaller step, and guesses still count after any', async () => {
    await fail(5)
    clock.advance(-10 * minuteMs)
    expect(await attempt()).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 630 })
    clock.advance(-hourMs)
    await fail(1)
    expect(await attempt()).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 60 })
  })

  test('sessions stay open', async () => {
    const { token = '' } = await attempt()
    clock.advance(-hourMs)
    expect(await findViewer(token)).toMatchObject({ username: 'maria' })
  })

  test('a captcha can be answered, once', async () => {
    const { check } = await makeCaptcha(services, 'HJKNP')
    clock.advance(-hourMs)
    await requireCaptcha(services, { check, answer: 'HJKNP' })
    await expect(requireCaptcha(services, { check, answer: 'HJKNP' })).rejects.toThrow(AppError)
  })
})

describe('when the clock goes forward a day, and back', () => {
  test('a session expires for lack of use and resumes once the clock is right again', async () => {
    const { token = '' } = await attempt()
    clock.advance(dayMs)
    expect(await findViewer(token)).toBeUndefined()
    clock.advance(-dayMs)
    expect(await findViewer(token)).toMatchObject({ username: 'maria' })
  })

  test('a session that started on the wrong day ends within a week of that day', async () => {
    clock.advance(dayMs)
    const { token = '' } = await attempt()
    clock.advance(-dayMs)
    expect(await findViewer(token)).toMatchObject({ username: 'maria' })
    clock.advance(8 * dayMs)
    expect(await findViewer(token)).toBeUndefined()
  })

  test('a captcha expires, and the next one can be answered', async () => {
    const old = await makeCaptcha(services, 'HJKNP')
    clock.advance(dayMs)
    expect(await attempt({ captchaCheck: old.check })).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(await attempt()).toEqual({ token: expect.any(String) })
  })

  test('guesses made on the wrong day lock nobody out', async () => {
    clock.advance(dayMs)
    await fail(5)
    clock.advance(-dayMs)
    expect(await attempt()).toEqual({ token: expect.any(String) })
  })

  test('a sale on the wrong day counts on that day, the next one on the right day', async () => {
    const { siteId, get, click } = await world.merchant()
    const clickId = await click()
    clock.advance(dayMs)
    expect((await get({ click_id: clickId, transaction_id: '1' })).statusCode).toBe(201)
    clock.advance(-dayMs)
    expect((await get({ click_id: clickId, transaction_id: '1' })).json()).toMatchObject({
      outcome: 'duplicate',
    })
    expect((await get({ click_id: await click(), transaction_id: '2' })).statusCode).toBe(201)
    expect(await world.pendingOf(siteId)).toMatchObject([
      { day: '2026-03-10', sales: 1 },
      { day: '2026-03-11', sales: 1 },
    ])
  })
})
