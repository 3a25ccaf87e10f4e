import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../dialogs/dialogs.tsx'

/** Asks before the user leaves a page with unsaved changes. */
export function useLeaveGuard(isUnsaved: boolean) {
  useBlocker({
    shouldBlockFn: async () => isUnsaved && !(await confirmLeaving()),
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
  })
}

const confirmLeaving = () =>
  confirm({
    heading: 'Leave without saving?',
    body: 'Your changes on this page are not saved.',
    confirmLabel: 'Leave',
  })
