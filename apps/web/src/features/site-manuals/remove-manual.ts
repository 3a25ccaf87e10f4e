import type { ManualItem } from '@tallyroom/contract/site-manuals'
import { confirm } from '../../ui/dialogs.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { deleteManual } from './site-manuals.api.ts'

/** Asks, and removes it while the dialog stays. The question is the specification's, to the letter. */
export const askToRemove = ({ id, sitename }: ManualItem, refresh: () => Promise<unknown>) =>
  confirm({
    heading: `Remove: ${sitename}`,
    body: `Are your sure to remove "${sitename}" manual?`,
    confirmLabel: 'Remove',
    danger: true,
    action: async () => {
      await deleteManual(id)
      await refresh()
      toastDone()
    },
  })
