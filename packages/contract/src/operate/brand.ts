import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { notSecret } from '../secrets.ts'

export const brandEndpoints = {
  /** Only the key. The brands themselves are defined in `domain/brands`. */
  brand: endpoint({
    method: 'GET',
    path: '/api/brand',
    summary: 'Get the brand of this installation',
    ability: 'public',
    action: 'none',
    response: z.object({ key: notSecret(z.string()) }),
  }),
}
