/** Replaces French in a transcript: an English recogniser turns everything into English. */
export const foreignWords = '[French]';
