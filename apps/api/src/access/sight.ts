import { can } from '@tallyroom/domain/abilities'
import { type Scope, scopeOf } from './scope.ts'
import type { Viewer } from './viewer.ts'

/**
 * Which offices and agents a viewer's lists, forms and actions know of: those in scope, and of these the
 * hidden and the suspended ones only when the viewer may see such. What is out of sight does not exist.
 */
export type Sight = { scope: Scope; withHidden: boolean; withSuspended: boolean }

export const sightOf = (viewer: Viewer): Sight => ({
  scope: scopeOf(viewer),
  withHidden: can(viewer, 'hidden.see'),
  withSuspended: can(viewer, 'suspended.see'),
})
