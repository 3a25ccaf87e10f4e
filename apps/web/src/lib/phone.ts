import { useSyncExternalStore } from 'react'

/** A hook that follows a media query. Known at the first render, so that nothing shifts. */
function whether(query: string): () => boolean {
  const media = window.matchMedia(query)
  const subscribe = (notify: () => void) => {
    media.addEventListener('change', notify)
    return () => media.removeEventListener('change', notify)
  }
  return () => useSyncExternalStore(subscribe, () => media.matches)
}

const PHONE = 'screen and (width < 600px)'

/** Whether the window is as narrow as a phone, which no table is. The style sheets repeat this width. Paper is never a phone. */
export const useIsPhone = whether(PHONE)

/** Whether it is as narrow as a phone, or as low as a laptop at 200 % zoom. The style sheets repeat these sizes. */
export const useIsSmall = whether(`${PHONE}, screen and (height < 500px)`)

/** Whether the filters of a list don't fit on a line. */
export const useIsNarrow = whether('screen and (width < 62em), screen and (height < 500px)')

/** Whether a chart would leave less than a dozen rows of the table below it. */
export const useIsShort = whether('screen and (height < 1000px)')

/** Whether there is room for three boards side by side with their names whole. */
export const useIsWide = whether('screen and (width >= 1400px) and (height >= 500px)')
