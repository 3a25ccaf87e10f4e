import { z } from 'zod'
import { onOffSchema } from '../forms.ts'
import { endpoint } from '../endpoint.ts'

/** How long visitors keep coming once they have been started. */
export const DEMO_VISITORS_MINUTES = 30

const demoVisitorsSchema = z.object({
  /** Whether the database was filled with the demo world. Visitors can be started only there. */
  isDemo: z.boolean(),
  /** When the visitors stop; null if there are none. */
  until: z.iso.datetime().nullable(),
})

export const demoVisitorsEndpoints = {
  demoVisitors: endpoint({
    method: 'GET',
    path: '/api/demo-visitors',
    summary: 'Get whether made-up visitors are using the demo',
    ability: 'demo.run',
    action: 'none',
    response: demoVisitorsSchema,
  }),
  setDemoVisitors: endpoint({
    method: 'POST',
    path: '/api/demo-visitors',
    summary: `Start made-up visitors in the demo for ${DEMO_VISITORS_MINUTES} minutes, or stop them`,
    ability: 'demo.run',
    action: 'UPDATE',
    body: z.strictObject({ on: onOffSchema }),
    response: demoVisitorsSchema,
  }),
}
