import { laterComponent } from '../lib/later.ts'
import { useCurrentDialog } from './dialogs.ts'

const DialogView = laterComponent(() =>
  import('./DialogView.tsx').then(({ DialogView: component }) => component),
)

/** Draws the open dialog, one at a time; once, at the root of the app. */
export function DialogHost() {
  const dialog = useCurrentDialog()
  return dialog && <DialogView key={dialog.id} dialog={dialog} />
}
