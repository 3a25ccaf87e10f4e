import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { handleError } from './error-handler.ts'

const pgError = (code: string) => Object.assign(new Error('a statement failed'), { code })

test.each([
  ['took too long', '57014', 503],
  ['lost its connection', '08006', 503],
  ['is wrong', '42601', 500],
])('a statement that %s (%s): %i', async (_, code, status) => {
  const app = Fastify()
  app.setErrorHandler(handleError)
  app.get('/', () => Promise.reject(pgError(code)))
  const answer = await app.inject('/')
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['retry-after']).toBe(status === 503 ? '5' : undefined)
  expect(answer.body).not.toContain('a statement failed')
})

test('what is refused while the database is away is one short line in the log, without a stack', async () => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
  app.setErrorHandler(handleError)
  const lost = new Error('could not connect\n  to worker-1', { cause: new Error('refused') })
  app.get('/', () => Promise.reject(Object.assign(lost, { code: '08006' })))
  await app.inject('/')
  const [said, ...others] = lines.filter((line) => line.includes('not available'))
  expect(others).toEqual([])
  expect(JSON.parse(said ?? '')).toMatchObject({
    why: '08006: could not connect to worker-1: refused',
  })
  expect(said?.length).toBeLessThan(300)
})
