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
