import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** How long visitors keep coming once they are let in. */
export const DEMO_VISITORS_MINUTES = 30

const demoVisitorsSchema = z.object({
  /** Whether the database was filled with the demo world; no visitors come into any other. */
  isDemo: z.boolean(),
  /** Until when visitors come; null if none do. */
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
    body: z.strictObject({ on: z.boolean() }),
    response: demoVisitorsSchema,
  }),
}
