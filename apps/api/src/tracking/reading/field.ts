/** The parameters of one postback as sent: one pair per occurrence of a name. */
export type Field = readonly [name: string, value: string]
