/** Words of choosing a day and a time. */
export const when = {
  presets: (label: string) => `${label}: usual times`,
  in: (length: string) => `In ${length}`,
  tomorrow: (clock: string) => `Tomorrow ${clock}`,
  monday: (clock: string) => `Monday ${clock}`,
  week: (clock: string) => `In a week, ${clock}`,
  missing: 'Choose a day and a time.',
  past: 'This time has passed. Choose a later one.',
}
