import { useSyncExternalStore } from 'react'

/** Narrower than any table. The style sheets repeat this width. Paper is never a phone. */
const phone = window.matchMedia('screen and (width < 600px)')

const subscribe = (notify: () => void) => {
  phone.addEventListener('change', notify)
  return () => phone.removeEventListener('change', notify)
}

/** Whether the window is as narrow as a phone. Known at the first render, so that nothing shifts. */
export const useIsPhone = () => useSyncExternalStore(subscribe, () => phone.matches)
