import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../dialogs.tsx'

/** Asks before anybody leaves a page with changes that are not saved. */
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
