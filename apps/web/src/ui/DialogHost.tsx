import { lazy, Suspense } from 'react'
import { useCurrentDialog } from './dialogs.ts'

const DialogView = lazy(() =>
  import('./DialogView.tsx').then(({ DialogView: component }) => ({ default: component })),
)

/** Draws the open dialog, one at a time; once, at the root of the app. */
export function DialogHost() {
  const dialog = useCurrentDialog()
  return (
    dialog && (
      <Suspense>
        <DialogView key={dialog.id} dialog={dialog} />
      </Suspense>
    )
  )
}
