import { useRouter, type LinkProps } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /**
     * The page was opened from its list, or from the checklist on Home, which is one step back in
     * the history.
     */
    fromList?: boolean
    /** The checklist, which itself says what comes next. */
    fromChecklist?: boolean
  }
}

/** The state of a link from a list to one of its forms. */
export const FROM_LIST = { fromList: true }

/** The state of a link from the checklist of a new network. */
export const FROM_CHECKLIST = { fromList: true, fromChecklist: true }

/** The route pattern of a list. */
export type ListAddress = NonNullable<LinkProps['to']>

/**
 * Returns from a form to its list. If the form was opened from the list, restores its page, criteria and sort.
 * @param ignoreBlocker skips the question about unsaved changes, because the record is gone
 */
export function useBackToList(
  list: ListAddress,
  { ignoreBlocker = false, params }: { ignoreBlocker?: boolean; params?: object | undefined } = {},
) {
  const { history, navigate } = useRouter()
  return () => {
    if (history.location.state.fromList) history.back({ ignoreBlocker })
    else void navigate({ to: list, ignoreBlocker, ...(params && { params }) })
  }
}
