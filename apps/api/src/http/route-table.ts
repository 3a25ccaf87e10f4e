import type { Endpoint } from '@tallyroom/contract/endpoint'
import type { FastifyInstance } from 'fastify'

/** Routes outside of the table: the API document, the page for links that lead nowhere, and static files. */
const besideTheTable =
  /^(\/api\/openapi\.json|\/api\/docs(\/.*)?|\/api\/links(\/go|\/\*)?|\/|\/\*|\/assets\/.*|\/[\w.-]+)$/

/**
 * Records all routes registered from now on. The returned check throws if a route is not in the table, or if an
 * endpoint has no route.
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
    if (unanswered.length > 0) throw new Error(`Without a route: ${unanswered.join(', ')}`)
  }
}
