import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const healthEndpoints = {
  /** 200 when ready; 503 with the reason when not. */
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    summary: 'Whether this process is ready to serve',
    ability: 'public',
    action: 'none',
    response: z.object({ status: z.literal('ready') }),
  }),
}
