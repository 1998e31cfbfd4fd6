/** Returns a function that asks once for each text. */
export function remembered<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    if (!answers.has(text)) answers.set(text, ask(text));
    return answers.get(text) as Answer;
  };
}
