/** Lines of the changelogs: the words of the changeset alone. Versions of our own packages move together, so lists of updated dependencies say nothing. */
module.exports = {
  async getReleaseLine({ summary }) {
    return `\n${summary.trim()}`;
  },
  async getDependencyReleaseLine() {
    return "";
  },
};
