import type { Viewer } from './viewer.ts'

/**
 * The rows that a viewer may see. Every list query takes a Scope, so code that omits it does not compile. Only
 * the functions below can create one.
 */
export type Scope = Unbranded & { readonly [madeHere]: true }

type Unbranded =
  | { sees: 'everything' }
  | { sees: 'office'; officeId: number }
  | { sees: 'agent'; officeId: number; agentId: number }

declare const madeHere: unique symbol

export function scopeOf(viewer: Viewer): Scope {
  switch (viewer.role) {
    case 'superadmin':
    case 'admin':
      return brand({ sees: 'everything' })
    case 'company':
      return brand({ sees: 'office', officeId: viewer.officeId })
    case 'agent':
      return brand({ sees: 'agent', officeId: viewer.officeId, agentId: viewer.agentId })
  }
}

/** For jobs and the command line, which act without a viewer. */
export const everything = (): Scope => brand({ sees: 'everything' })

const brand = (scope: Unbranded): Scope => scope as Scope // the only place that creates scopes
