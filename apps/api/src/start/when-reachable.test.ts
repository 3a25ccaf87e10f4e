import { ERROR_CODE_HEADER } from '@tallyroom/contract/errors'
import { expect, test } from 'vitest'
import { findPort } from '../../test/faults/app-process.ts'
import { silentLog } from '../lib/log/log.ts'
import { whenReachable } from './when-reachable.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

test('every request gets 503 until the database is reachable, then the port is free', async () => {
  const config = { host: '127.0.0.1', port: await findPort() }
  const url = `http://127.0.0.1:${config.port}/api/health`
  const answers: Response[] = []
  let tries = 0

  const prepared = await whenReachable(config, silentLog, async () => {
    // The second attempt is made while the port is in use.
    if (++tries > 1) answers.push(await fetch(url))
    if (tries < 3) throw new Error('The migrations failed', { cause: refused })
    return 'prepared'
  })

  expect(prepared).toBe('prepared')
  expect(answers.map(({ status }) => status)).toEqual([503, 503])
  const headers = answers[0]?.headers
  expect(headers?.get(ERROR_CODE_HEADER)).toBe('UNAVAILABLE')
  expect(headers?.get('strict-transport-security')).toMatch(/^max-age=\d+/)
  expect(headers?.get('x-content-type-options')).toBe('nosniff')
  expect(headers?.get('content-security-policy')).toContain("frame-ancestors 'none'")
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('any other failure ends the start at once', async () => {
  const wrong = new Error('password authentication failed')
  const start = whenReachable({ host: '127.0.0.1', port: await findPort() }, silentLog, () =>
    Promise.reject(wrong),
  )

  await expect(start).rejects.toBe(wrong)
})
