import type { Endpoint } from '@tallyroom/contract/endpoint'
import type { FastifyInstance } from 'fastify'

/** What is served beside the table: the API document and the browser's own files. */
const besideTheTable = /^(\/api\/docs(\/.*)?|\/|\/\*|\/assets\/.*|\/[\w.-]+)$/

/**
 * Watches which routes are registered from now on. The returned check throws when the server answers an
 * API path that the table does not declare, or the table declares one that nothing answers.
 */
export function checkRouteTable(app: FastifyInstance, table: Record<string, Endpoint>): () => void {
  const registered = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) registered.add(`${one} ${url}`)
  })
  return () => {
    const declared = new Set(Object.values(table).map(({ method, path }) => `${method} ${path}`))
    const unknown = [...registered].filter((route) => {
      const [method = '', url = ''] = route.split(' ')
      if (declared.has(route) || besideTheTable.test(url)) return false
      return !(method === 'HEAD' && declared.has(`GET ${url}`))
    })
    const unanswered = [...declared].filter((route) => !registered.has(route))
    if (unknown.length > 0) throw new Error(`Not in the endpoint table: ${unknown.join(', ')}`)
    if (unanswered.length > 0) throw new Error(`Nothing answers: ${unanswered.join(', ')}`)
  }
}
