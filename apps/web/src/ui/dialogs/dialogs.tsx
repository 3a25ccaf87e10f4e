import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react'
import type { Consequence } from './consequences.ts'

const DialogView = lazy(() => import('./DialogView.tsx'))

export interface ConfirmRequest {
  heading: string
  body: ReactNode
  /** What it stops, and what goes on: listed below the body. */
  consequence?: Consequence | undefined
  confirmLabel?: string
  /** Marks the Confirm button as destructive. */
  danger?: boolean
  hideCancel?: boolean
  /** Runs on Confirm. The dialog stays open and busy until it settles. Failures go to the error policy. */
  action?: () => Promise<unknown>
  /** Failures are only logged. */
  silentErrors?: boolean
}

export interface AlertRequest {
  heading?: string
  body: ReactNode
}

/** A dialog on screen or in the queue. */
export type OpenDialog = { id: number; settle: (confirmed: boolean) => void } & (
  | ({ kind: 'confirm' } & ConfirmRequest)
  | ({ kind: 'alert' } & AlertRequest)
)

/** Resolves to true once confirmed and done, and to false if cancelled or if the action failed. */
export const confirm = (request: ConfirmRequest) =>
  new Promise<boolean>((settle) =>
    change([...dialogs, { kind: 'confirm', id: ++lastId, settle, ...request }]),
  )

/** Resolves when its Enter button is pressed. */
export const alert = (request: AlertRequest) =>
  new Promise<void>((settle) =>
    change([...dialogs, { kind: 'alert', id: ++lastId, settle: () => settle(), ...request }]),
  )

/** The dialog on screen. */
export const useCurrentDialog = (): OpenDialog | undefined =>
  useSyncExternalStore(subscribe, () => dialogs)[0]

/** Renders the open dialogs one at a time. Mounted once, at the root of the app. */
export function DialogHost() {
  const dialog = useCurrentDialog()
  return <Suspense>{dialog && <DialogView key={dialog.id} dialog={dialog} />}</Suspense>
}

/** Removes a dialog and resolves its promise. */
export function closeDialog(dialog: OpenDialog, confirmed: boolean) {
  change(dialogs.filter(({ id }) => id !== dialog.id))
  dialog.settle(confirmed)
}

let dialogs: readonly OpenDialog[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly OpenDialog[]) {
  dialogs = next
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
