import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const healthEndpoints = {
  /** 200 if ready; otherwise 503 with the reason. */
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    summary: 'Check whether this process is ready to serve requests',
    ability: 'public',
    action: 'none',
    response: z.object({ status: z.literal('ready') }),
  }),
}
