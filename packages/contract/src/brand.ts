import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const brandEndpoints = {
  /** Which of the six brands this installation wears; the brand itself is in the domain. */
  brand: endpoint({
    method: 'GET',
    path: '/api/brand',
    summary: 'The brand that this installation wears',
    ability: 'public',
    action: 'none',
    response: z.object({ key: z.string() }),
  }),
}
