import type { Viewer } from './viewer.ts'

/**
 * Which rows a viewer may see. Every list query takes one, so that forgetting it does not compile;
 * only `scopeOf` and the functions below make one.
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

/** For jobs and the command line, which act for nobody. */
export const everything = (): Scope => brand({ sees: 'everything' })

const brand = (scope: Unbranded): Scope => scope as Scope // the one place where scopes are made
