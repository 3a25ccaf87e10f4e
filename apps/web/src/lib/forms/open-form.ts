/** A form, from when it opens until it has done its act. */
export interface OpenForm {
  openedAt: number
  /** Made once it is needed: see `form-key`. */
  key?: string
}

export const openForm = (): OpenForm => ({ openedAt: Date.now() })

let sending: OpenForm | undefined

/** The form that makes a call now, if one does. */
export const formBeingSent = (): OpenForm | undefined => sending

/** Calls that `send` makes at once are those of this form. */
export function sendingAs<Result>(form: OpenForm, send: () => Result): Result {
  sending = form
  try {
    return send()
  } finally {
    sending = undefined
  }
}
