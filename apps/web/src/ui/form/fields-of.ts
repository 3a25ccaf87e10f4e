/** What a form shows of a record: a value for each field that a new record's form has. */
export const fieldsOf = <Values extends object>(blank: Values, record: Values): Values =>
  Object.fromEntries(
    Object.keys(blank).map((field) => [field, record[field as keyof Values]]), // a key of `blank`
  ) as Values // has each of its keys

/** The password fields of a form as it opens. Left empty, they keep the password. */
export const noPassword = { password: '', passwordConfirm: '' }
